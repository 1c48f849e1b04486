import { mountApp } from '../../views/App.tsx'

mountApp('options')
