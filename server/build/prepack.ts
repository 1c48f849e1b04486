import { printable } from '../../shared/web/printable.ts'
import { STDERR } from '../output.ts'

// Before `npm pack`, which would pack the whole project; npm runs it before `npm run pack` as well.

if (process.env.npm_command === 'pack') {
  STDERR.line(
    printable`This folder is the project, and not the package. Run npm run pack: it writes the package of the commands here.`,
  )
  process.exitCode = 1
}
