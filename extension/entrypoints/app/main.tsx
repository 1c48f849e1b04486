import { mountApp } from '../../mount-app.tsx'

mountApp('tab')
