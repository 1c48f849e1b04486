import { createCollector } from 'aisle-node'
import express from 'express'

const collector = createCollector({
  url: process.env.AISLE_URL,
  key: process.env.AISLE_KEY,
  domain: 'shop.example',
})

const app = express()
// Before all that answers. In Hono: app.use(collector.hono)
app.use(collector.node)
app.use(express.static('public'))
const server = app.listen(process.env.PORT)

process.once('SIGTERM', async () => {
  server.close()
  await collector.close()
})
