// Go's net/http as a peer: the same options, work and line of JSON as the other clients.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

type options struct {
	url, authority        string
	concurrency, requests int
	warmUp, bodyBytes     int
	http2                 bool
}

func fail(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, "benchmark: "+format+"\n", arguments...)
	os.Exit(1)
}

func parse() options {
	read := options{concurrency: 1, requests: 1000, warmUp: 100}
	for i := 1; i+1 < len(os.Args); i += 2 {
		value := os.Args[i+1]
		number, _ := strconv.Atoi(value)
		switch os.Args[i] {
		case "--url":
			read.url = value
		case "--ca":
			read.authority = value
		case "--concurrency":
			read.concurrency = number
		case "--requests":
			read.requests = number
		case "--warm-up":
			read.warmUp = number
		case "--body-bytes":
			read.bodyBytes = number
		case "--http2":
			read.http2 = number == 1
		}
	}
	return read
}

func client(options options) *http.Client {
	transport := &http.Transport{
		MaxIdleConns:        options.concurrency,
		MaxIdleConnsPerHost: options.concurrency,
		ForceAttemptHTTP2:   options.http2,
	}
	if options.http2 {
		pem, err := os.ReadFile(options.authority)
		if err != nil {
			fail("%v", err)
		}
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(pem)
		transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	return &http.Client{Transport: transport}
}

func send(client *http.Client, options options) error {
	request, err := http.NewRequest("GET", options.url, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer 0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqr")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "benchmark/1")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil {
		return err
	}
	protocol := "HTTP/1.1"
	if options.http2 {
		protocol = "HTTP/2.0"
	}
	if response.StatusCode != 200 || len(body) != options.bodyBytes || response.Header.Get("x-protocol") != protocol {
		return fmt.Errorf("status %d, %d bytes, protocol %s", response.StatusCode, len(body), response.Header.Get("x-protocol"))
	}
	return nil
}

func loop(client *http.Client, options options, requests int) []int64 {
	var next int64
	var group sync.WaitGroup
	all := make([][]int64, options.concurrency)
	for worker := range all {
		group.Add(1)
		go func(worker int) {
			defer group.Done()
			latencies := make([]int64, 0, requests/options.concurrency+16)
			for atomic.AddInt64(&next, 1) <= int64(requests) {
				start := time.Now()
				if err := send(client, options); err != nil {
					fail("%v", err)
				}
				latencies = append(latencies, time.Since(start).Nanoseconds())
			}
			all[worker] = latencies
		}(worker)
	}
	group.Wait()
	var latencies []int64
	for _, some := range all {
		latencies = append(latencies, some...)
	}
	return latencies
}

func usage() (user, system float64, switches int64) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fail("%v", err)
	}
	microseconds := func(time syscall.Timeval) float64 { return float64(time.Sec)*1e6 + float64(time.Usec) }
	return microseconds(usage.Utime), microseconds(usage.Stime), int64(usage.Nvcsw)
}

func peakResidentKibibytes() int {
	file, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) > 1 && fields[0] == "VmHWM:" {
			kibibytes, _ := strconv.Atoi(fields[1])
			return kibibytes
		}
	}
	return 0
}

func main() {
	options := parse()
	client := client(options)
	warmUp := options.warmUp
	if warmUp < options.concurrency*4 {
		warmUp = options.concurrency * 4
	}
	loop(client, options, warmUp)
	user, system, switches := usage()
	start := time.Now()
	latencies := loop(client, options, options.requests)
	elapsed := time.Since(start).Seconds()
	userAfter, systemAfter, switchesAfter := usage()
	peak := peakResidentKibibytes()
	sort.Slice(latencies, func(i, j int) bool { return latencies[i] < latencies[j] })
	count := float64(len(latencies))
	percentile := func(percent int) float64 { return float64(latencies[(len(latencies)-1)*percent/100]) / 1000 }
	err := json.NewEncoder(os.Stdout).Encode(map[string]float64{
		"requests":              count,
		"requestsPerSecond":     count / elapsed,
		"cpuMicroseconds":       (userAfter - user + systemAfter - system) / count,
		"userMicroseconds":      (userAfter - user) / count,
		"systemMicroseconds":    (systemAfter - system) / count,
		"p50Microseconds":       percentile(50),
		"p99Microseconds":       percentile(99),
		"peakResidentKibibytes": float64(peak),
		"switchesPerRequest":    float64(switchesAfter-switches) / count,
	})
	if err != nil {
		fail("%v", err)
	}
}
