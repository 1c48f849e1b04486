import { Module } from '@medusajs/framework/utils'
import { AisleModuleService } from './service.ts'

export default Module('aisle', { service: AisleModuleService })
