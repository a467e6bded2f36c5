// Repeats requests, for `make http`: what Go's net/http reads of them. Prints its addresses when it is ready.
//
// With -restart, each server is replaced by a new one on the same listener again and again and is shut down gracefully
// (http.Server.Shutdown): idle connections are closed, HTTP/2 gets GOAWAY, and calls under way are answered. With -cut, connections
// are ended after a random time, whatever is on them.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net"
	"net/http"
	"os"
	"sort"
	"strings"
	"time"
)

// The reply: lines of method, target, SHA-256 of the body, and the fields that begin with "x-", sorted by their names.
func echo(writer http.ResponseWriter, request *http.Request) {
	digest := sha256.New()
	// Programs read in pieces of any size, and each read may update the windows of HTTP/2.
	piece := make([]byte, 512<<rand.Intn(8))
	for {
		count, err := request.Body.Read(piece)
		digest.Write(piece[:count])
		if err == io.EOF {
			break
		}
		if err != nil {
			http.Error(writer, err.Error(), 400)
			return
		}
	}
	var names []string
	for name := range request.Header {
		if strings.HasPrefix(strings.ToLower(name), "x-") {
			names = append(names, name)
		}
	}
	sort.Slice(names, func(a, b int) bool { return strings.ToLower(names[a]) < strings.ToLower(names[b]) })
	var reply bytes.Buffer
	fmt.Fprintf(&reply, "%s\n%s\n%x\n", request.Method, request.RequestURI, digest.Sum(nil))
	for _, name := range names {
		for _, value := range request.Header[name] {
			fmt.Fprintf(&reply, "%s: %s\n", strings.ToLower(name), value)
		}
	}
	writer.Header().Set("Content-Type", "application/octet-stream")
	writer.Header().Set("X-Protocol", request.Proto)
	writer.Write(reply.Bytes())
}

// A listener that passes on connections that another accepts.
type handedOver struct {
	net.Listener
	connections chan net.Conn
	closed      chan struct{}
}

func (l *handedOver) Accept() (net.Conn, error) {
	select {
	case <-l.closed:
		return nil, net.ErrClosed
	default:
	}
	select {
	case connection := <-l.connections:
		return connection, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *handedOver) Close() error { close(l.closed); return nil }

// Ends a connection after a random time: in half of the cases with a reset, which discards what was not sent.
func cutLater(connection net.Conn, upTo time.Duration) {
	isReset := rand.Intn(2) == 0
	time.AfterFunc(time.Duration(rand.Int63n(int64(upTo))), func() {
		if isReset {
			_ = connection.(*net.TCPConn).SetLinger(0)
		}
		_ = connection.Close()
	})
}

func serve(address, certificate, key string, restart, cut time.Duration) string {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	connections := make(chan net.Conn)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				log.Fatal(err)
			}
			if cut > 0 {
				cutLater(connection, cut)
			}
			connections <- connection
		}
	}()
	start := func() *http.Server {
		server := &http.Server{Handler: http.HandlerFunc(echo), ErrorLog: log.New(io.Discard, "", 0)}
		own := &handedOver{listener, connections, make(chan struct{})}
		go func() {
			var err error
			if certificate == "" {
				err = server.Serve(own)
			} else {
				err = server.ServeTLS(own, certificate, key)
			}
			if !errors.Is(err, http.ErrServerClosed) {
				log.Fatal(err)
			}
		}()
		return server
	}
	go func() {
		server := start()
		for restart > 0 {
			time.Sleep(restart)
			old := server
			server = start()
			go func() {
				// A connection that never had a request counts as idle after five seconds.
				limit, cancel := context.WithTimeout(context.Background(), 10*time.Second)
				defer cancel()
				_ = old.Shutdown(limit)
			}()
		}
	}()
	return listener.Addr().String()
}

func main() {
	certificate := flag.String("cert", "", "the certificate (PEM)")
	key := flag.String("key", "", "its key (PEM)")
	restart := flag.Duration("restart", 0, "the time between restarts; 0 for none")
	cut := flag.Duration("cut", 0, "the longest life of a connection; 0 for no limit")
	flag.Parse()
	clear := serve("127.0.0.1:0", "", "", *restart, *cut)
	tls := serve("127.0.0.1:0", *certificate, *key, *restart, *cut)
	fmt.Printf("%s %s\n", clear, tls)
	// Ends with the script, which holds the other end.
	io.Copy(io.Discard, os.Stdin)
}
