import { mountApp } from '../../views/App.tsx'

mountApp('popup')
