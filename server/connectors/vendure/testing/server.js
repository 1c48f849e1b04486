const { bootstrap } = require('@vendure/core')
const { config } = require('./vendure-config.js')

bootstrap(config)
