import { judgePasted, startValidateForm } from '../tools/validate/form.ts'
import { ValidateForm } from '../tools/validate/ValidateForm.tsx'
import { runTool } from './run-tool.ts'

runTool((read) => {
  const start = startValidateForm(read)
  return <ValidateForm state={start.values.manifest === '' ? start : judgePasted(start.values)} />
})
