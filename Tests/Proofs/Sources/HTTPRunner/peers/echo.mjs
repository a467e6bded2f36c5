// Repeats requests, for `make http`: what Node's http and http2 read of them. Prints its addresses when it is ready.
//
//   node echo.mjs CERTIFICATE KEY
//
// The reply: lines of method, target, SHA-256 of the body, and the fields that begin with "x-", sorted by their names.
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'

function echo(request, response) {
    const digest = crypto.createHash('sha256')
    request.on('data', (chunk) => digest.update(chunk))
    request.on('error', () => {})
    request.on('end', () => {
        const lines = []
        for (let index = 0; index < request.rawHeaders.length; index += 2) {
            const name = request.rawHeaders[index].toLowerCase()
            if (name.startsWith('x-')) lines.push([name, request.rawHeaders[index + 1]])
        }
        // The sort is stable: fields with the same name keep their order.
        lines.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0))
        const fields = lines.map(([name, value]) => `${name}: ${value}\n`).join('')
        const text = `${request.method}\n${request.url}\n${digest.digest('hex')}\n${fields}`
        response.setHeader('X-Protocol', `HTTP/${request.httpVersion}`)
        response.end(Buffer.from(text, 'latin1'))
    })
}

const [certificate, key] = process.argv.slice(2)
const clear = http.createServer({ maxHeaderSize: 1 << 18 }, echo)
const secure = http2.createSecureServer({ cert: fs.readFileSync(certificate), key: fs.readFileSync(key), allowHTTP1: true }, echo)
clear.listen(0, '127.0.0.1', () => {
    secure.listen(0, '127.0.0.1', () => console.log(`127.0.0.1:${clear.address().port} 127.0.0.1:${secure.address().port}`))
})
// Ends with the script, which holds the other end.
process.stdin.resume()
process.stdin.on('end', () => process.exit())
