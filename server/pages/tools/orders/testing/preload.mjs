// Loaded before a store's server: it listens on loopback only, at a port that the system chooses
// and the test learns, and reaches the stand-in for Stripe instead of Stripe.
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

const { listen } = net.Server.prototype
net.Server.prototype.listen = function listenOnLoopback() {
  this.once('listening', () => process.send?.({ port: this.address().port }))
  return listen.call(this, { port: 0, host: '127.0.0.1' })
}

const { request } = https
https.request = (options, heard) =>
  request(
    {
      ...options,
      headers: { ...options.headers, Host: options.host },
      host: '127.0.0.1',
      port: process.env.STAND_IN_PORT,
      agent: undefined,
      rejectUnauthorized: false,
    },
    heard,
  )
syncBuiltinESMExports()
