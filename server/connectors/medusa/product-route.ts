import { answerProduct } from '../ucp/catalog.ts'
import { catalogRoute } from './route.ts'

const route = catalogRoute(answerProduct)

export { route as POST }
