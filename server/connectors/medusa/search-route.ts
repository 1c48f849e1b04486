import { answerSearch } from '../ucp/catalog.ts'
import { catalogRoute } from './route.ts'

const route = catalogRoute(answerSearch)

export { route as POST }
