import { writeFile } from 'node:fs/promises'
import { printable } from '../../shared/web/text/printable.ts'
import { STDOUT } from '../process/output.ts'
import { packCli } from './cli-package.ts'

// `npm run pack`: the package of the commands, in this folder.

const { file, files, tarball } = await packCli()
await writeFile(file, tarball)
STDOUT.line(printable`${file}: ${files.length} files, ${Math.ceil(tarball.length / 1024)} KiB`)
