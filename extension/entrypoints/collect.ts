import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { collectPage } from '../page/collect.ts'

export default defineUnlistedScript(() => collectPage(window, fetch))
