import { SchemaForm } from '../tools/SchemaForm.tsx'
import { judgeSchemaForm } from '../tools/schema-form.ts'
import { runTool } from './run-tool.ts'

runTool((read) => <SchemaForm state={judgeSchemaForm(read, false)} />)
