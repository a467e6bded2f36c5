"""The server under the benchmarks: nginx in a process of its own, and responses that never end."""

import asyncio
import contextlib
import multiprocessing
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time

HOST = "127.0.0.1"
CLEAR_PORT = 18080
TLS_PORT = 18443
IDLE_PORT = 18081
SINK_PORT = 18082

SMALL_BYTES = 1_126
LARGE_BYTES = 112_481
BULK_BYTES = 1 << 30
BODY_BYTES = (1 << 20, 100 << 20)
BULK_SIZES = (BULK_BYTES, BULK_BYTES // 16, *BODY_BYTES)  # the second is that of quick runs

DEVICE_ID = "0123456789abcdef0123456789abcdef"

# With nginx's own eight this makes fifteen response headers over HTTP/1.1.
ADDED_HEADERS = {
    "X-RateLimit-Limit": "1000",
    "X-RateLimit-Remaining": "997",
    "X-RateLimit-Reset": "60",
    "Cache-Control": "private, max-age=0",
    "Vary": "Accept, Accept-Encoding",
    "X-Request-Id": "$request_id",
    # Every client looks it up and compares it: none is measured over another protocol than it says.
    "X-Protocol": "$server_protocol",
}

NGINX_CONFIGURATION = """
daemon off;
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    default_type application/json;
    sendfile on;
    tcp_nopush on;
    tcp_nodelay on;
    keepalive_timeout 1h;
    keepalive_requests 1000000000;
    http2_max_concurrent_streams 512;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    open_file_cache max=16;
    ssl_certificate {folder}/server.pem;
    ssl_certificate_key {folder}/server.key;
    ssl_session_cache shared:tls:1m;
    server {{
        listen {host}:{clear_port};
        listen {host}:{tls_port} ssl http2;
        root {folder}/www;
{headers}
        # Through the same origin, so that one client holds them and sends the measured requests.
        location = /idle {{
            proxy_pass http://{host}:{idle_port};
            proxy_http_version 1.1;
            proxy_buffering off;
            proxy_read_timeout 1h;
        }}
        # The one answer that a client of the middleware needs before it can sign (middleware.md section 3.1).
        location = /devices {{
            return 200 '{{"status":200,"response":{{"id":"{device_id}"}}}}';
        }}
    }}
}}
"""


class ServerError(Exception):
    """The server cannot be started; the text says why."""


class BenchmarkServer:
    """nginx and the idle server, for the time of a `with`; its files are in a folder that goes with it."""

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            for port in (CLEAR_PORT, TLS_PORT, IDLE_PORT, SINK_PORT):
                _require_free(port)
            self.folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="helium-benchmarks-"))
            os.chmod(self.folder, 0o755)  # the worker may run as another user
            self.certificate_authority = os.path.join(self.folder, "ca.pem")
            make_certificates(self.folder)
            _make_documents(self.folder)
            stack.enter_context(_nginx(self.folder))
            stack.enter_context(_idle_server())
            stack.enter_context(_sink())
            _check(self.certificate_authority)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error):
        return self._stack.__exit__(*error)

    @staticmethod
    def url(document, tls):
        return f"https://{HOST}:{TLS_PORT}/{document}" if tls else f"http://{HOST}:{CLEAR_PORT}/{document}"

    @staticmethod
    def sink_url(document, tls):
        return f"http://{HOST}:{SINK_PORT}/{document}"

    idle_url = f"http://{HOST}:{CLEAR_PORT}/idle"


def bulk_name(size):
    """The large document of this size."""
    return f"bulk-{size}"


def nginx_path():
    path = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin:/opt/homebrew/bin")
    if not path:
        raise ServerError("nginx is missing; run: Scripts/setup.sh bench")
    return path


def _require_free(port):
    with socket.socket() as probe:
        if probe.connect_ex((HOST, port)) == 0:
            raise ServerError(f"port {port} is taken: is another benchmark running?")


def _openssl(*arguments):
    result = subprocess.run(("openssl", *arguments), capture_output=True, text=True, timeout=60)
    if result.returncode != 0:
        raise ServerError(f"openssl {arguments[0]}: {result.stderr.strip()}")


def make_certificates(folder):
    """A CA and a server certificate for the loopback address, signed by it, both valid for two days."""
    path = lambda name: os.path.join(folder, name)
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    _openssl("req", "-x509", *key, "-keyout", path("ca.key"), "-out", path("ca.pem"), "-days", "2",
             "-subj", "/CN=Helium benchmark CA", "-addext", "keyUsage=critical,keyCertSign")
    _openssl("req", "-new", *key, "-keyout", path("server.key"), "-out", path("server.csr"), "-subj", "/CN=localhost")
    with open(path("server.ext"), "w") as extensions:
        extensions.write(f"subjectAltName=IP:{HOST},DNS:localhost\nextendedKeyUsage=serverAuth\n"
                         "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\n")
    _openssl("x509", "-req", "-in", path("server.csr"), "-CA", path("ca.pem"), "-CAkey", path("ca.key"),
             "-CAcreateserial", "-days", "2", "-extfile", path("server.ext"), "-out", path("server.pem"))


def _make_documents(folder):
    os.mkdir(os.path.join(folder, "www"))
    for name, size in (("small.json", SMALL_BYTES), ("large.json", LARGE_BYTES)):
        with open(os.path.join(folder, "www", name), "w") as file:
            file.write(_document(size))


    for size in BULK_SIZES:
        with open(os.path.join(folder, "www", bulk_name(size)), "wb") as file:
            file.truncate(size)  # takes no room: the file system makes up the zeros


def _document(size):
    """A JSON array of messages of exactly `size` bytes; the last text makes up the length."""
    message = '{{"id":"{id}","created_at":"2026-11-21T08:00:{second:02}Z","user":{{"id":"{user}","verified":true}},"text":"{text}"}}'
    messages, length = [], 2
    while True:
        index = len(messages)
        last = message.format(id=1_000_000 + index, second=index % 60, user=index % 97, text="")
        text = f"message {index}: the quick brown fox jumps over the lazy dog"
        if size - length < 2 * (len(last) + len(text) + 1):
            messages.append(last[:-2] + "x" * (size - length - len(last)) + last[-2:])
            return "[" + ",".join(messages) + "]"
        messages.append(last[:-2] + text + last[-2:])
        length += len(messages[-1]) + 1


@contextlib.contextmanager
def _nginx(folder):
    configuration = os.path.join(folder, "nginx.conf")
    with open(configuration, "w") as file:
        file.write(NGINX_CONFIGURATION.format(
            folder=folder, host=HOST, clear_port=CLEAR_PORT, tls_port=TLS_PORT, idle_port=IDLE_PORT,
            device_id=DEVICE_ID,
            user="user root;" if os.geteuid() == 0 and _root_owns_itself() else "",
            headers="\n".join(f'        add_header {name} "{value}";' for name, value in ADDED_HEADERS.items())))
    log = open(os.path.join(folder, "start.log"), "w+")
    process = subprocess.Popen([nginx_path(), "-p", folder, "-e", f"{folder}/error.log", "-c", configuration],
                               stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 10
        while any(_closed(port) for port in (CLEAR_PORT, TLS_PORT)):
            if process.poll() is not None or time.monotonic() > deadline:
                log.seek(0)
                raise ServerError("nginx does not start: " + log.read().strip())
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()


def _root_owns_itself():
    """Whether the unprivileged worker would be kept from the folder (a TMPDIR below a private folder)."""
    folder = tempfile.gettempdir()
    while folder != os.path.dirname(folder):
        if not os.stat(folder).st_mode & 0o001:
            return True
        folder = os.path.dirname(folder)
    return False


def _closed(port):
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) != 0


@contextlib.contextmanager
def _idle_server():
    """Answers every request with a head and then nothing, until the client goes away."""

    async def serve(reader, writer):
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
            await writer.drain()
            await reader.read()  # ends with the connection
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(asyncio.start_server(serve, HOST, IDLE_PORT, backlog=1024))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)


@contextlib.contextmanager
def _sink():
    """Reads request bodies as fast as they come and answers with their size; a process of its own."""
    process = multiprocessing.get_context("spawn").Process(target=_take_bodies, daemon=True)
    process.start()
    try:
        deadline = time.monotonic() + 10
        while _closed(SINK_PORT):
            if not process.is_alive() or time.monotonic() > deadline:
                raise ServerError("the server for uploads does not start")
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.join(10)


def _take_bodies():
    with socket.create_server((HOST, SINK_PORT), backlog=64) as listener:
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=_take_requests, args=(connection,), daemon=True).start()


def _take_requests(connection):
    buffer = memoryview(bytearray(1 << 20))
    with connection:
        pending = b""
        while True:
            while b"\r\n\r\n" not in pending:
                received = connection.recv_into(buffer)
                if not received:
                    return
                pending += buffer[:received]
            head, _, rest = pending.partition(b"\r\n\r\n")
            fields = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:])
            length = int({name.lower(): value for name, value in fields.items()}.get(b"content-length", b"0"))
            left, pending = length - len(rest), b""
            while left > 0:
                received = connection.recv_into(buffer, min(left, len(buffer)))
                if not received:
                    return
                left -= received
            body = str(length).encode()
            # The one answer that a client of the middleware needs before it can sign.
            if b" /devices " in head.split(b"\r\n")[0]:
                body = b'{"status":200,"response":{"id":"%b"}}' % DEVICE_ID.encode()
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))


def _check(certificate_authority):
    """One request over TLS with the CA, so that a wrong set-up is noticed here and not by a client."""
    context = ssl.create_default_context(cafile=certificate_authority)
    context.set_alpn_protocols(["h2", "http/1.1"])
    with socket.create_connection((HOST, TLS_PORT), 5) as connection:
        with context.wrap_socket(connection, server_hostname=HOST) as secured:
            if secured.selected_alpn_protocol() != "h2":
                raise ServerError("this nginx speaks no HTTP/2")
