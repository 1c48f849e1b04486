import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { fetchManifest } from '../page/fetch-manifest.ts'

export default defineUnlistedScript(() => fetchManifest(location.origin, fetch))
