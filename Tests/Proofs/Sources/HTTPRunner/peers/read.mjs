// Reads responses with Node's own HTTP client. From standard input: for each response, 'G' or 'H' for the method, its length in four
// bytes (big endian), and its bytes. To standard output: for each, one line "ok STATUS BODY" or "failed CODE", the body in Base64.
import http from 'node:http'
import { Duplex } from 'node:stream'
import fs from 'node:fs'

function read(isHead, bytes) {
    return new Promise((resolve) => {
        const socket = new Duplex({ read() {}, write(chunk, encoding, done) { done() }, final(done) { done() } })
        socket.setTimeout = socket.setNoDelay = socket.setKeepAlive = socket.ref = socket.unref = () => socket
        const request = http.request({ method: isHead ? 'HEAD' : 'GET', host: 'h', createConnection: () => socket })
        const end = (text) => { resolve(text); request.destroy(); socket.destroy() }
        request.on('error', (error) => end(`failed ${error.code ?? error.message}`))
        // A response to a request for an upgrade that nobody made.
        request.on('upgrade', () => end('failed UPGRADE'))
        request.on('response', (response) => {
            const chunks = []
            response.on('data', (chunk) => chunks.push(chunk))
            response.on('error', (error) => end(`failed ${error.code ?? error.message}`))
            response.on('aborted', () => end('failed ABORTED'))
            response.on('end', () => {
                end(response.complete ? `ok ${response.statusCode} ${Buffer.concat(chunks).toString('base64')}` : 'failed INCOMPLETE')
            })
        })
        request.on('close', () => end('failed CLOSED'))
        request.end()
        setImmediate(() => { socket.push(bytes); socket.push(null) })
    })
}

const input = fs.readFileSync(0)
const lines = []
const tasks = []
for (let position = 0; position < input.length;) {
    const isHead = input[position] === 72
    const count = input.readUInt32BE(position + 1)
    const bytes = input.subarray(position + 5, position + 5 + count)
    position += 5 + count
    tasks.push([isHead, bytes])
}
// Some at once, as each takes several turns of the event loop.
let next = 0
await Promise.all(Array.from({ length: 64 }, async () => {
    while (next < tasks.length) {
        const index = next++
        lines[index] = await read(...tasks[index])
    }
}))
fs.writeSync(1, lines.join('\n') + '\n')
