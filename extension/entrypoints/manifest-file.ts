import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { fetchManifest } from '../page/collect/fetch-manifest.ts'

export default defineUnlistedScript(() => fetchManifest(location.origin, fetch))
