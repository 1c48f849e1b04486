import { judgeManifestForm } from '../tools/manifest/form.ts'
import { ManifestForm } from '../tools/manifest/ManifestForm.tsx'
import { runTool } from './run-tool.ts'

runTool((read) => <ManifestForm state={judgeManifestForm(read, false)} />)
