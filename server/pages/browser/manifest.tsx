import { ManifestForm } from '../tools/ManifestForm.tsx'
import { judgeManifestForm } from '../tools/manifest-form.ts'
import { runTool } from './run-tool.ts'

runTool((read) => <ManifestForm state={judgeManifestForm(read, false)} />)
