import { mountApp } from '../../views/App.tsx'

mountApp('panel')
