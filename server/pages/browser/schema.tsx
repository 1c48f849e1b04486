import { judgeSchemaForm } from '../tools/schema/form.ts'
import { SchemaForm } from '../tools/schema/SchemaForm.tsx'
import { runTool } from './run-tool.ts'

runTool((read) => <SchemaForm state={judgeSchemaForm(read, false)} />)
