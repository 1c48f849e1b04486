import { mountApp } from '../../views/mount-app.tsx'

mountApp('tab')
