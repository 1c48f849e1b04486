import { printable } from '../../shared/web/text/printable.ts'
import { STDERR } from '../process/output.ts'

// Stops `npm pack`, which would pack the whole project. npm also runs it before `npm run pack`.

if (process.env.npm_command === 'pack') {
  STDERR.line(
    printable`This folder is the project, and not the package. Run npm run pack: it writes the package of the commands here.`,
  )
  process.exitCode = 1
}
