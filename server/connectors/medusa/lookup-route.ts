import { answerLookup } from '../ucp/catalog.ts'
import { catalogRoute } from './route.ts'

const route = catalogRoute(answerLookup)

export { route as POST }
