import { enableCopying } from './enable-copying.ts'

enableCopying(document.body)
