import { type ExportedAudit, exportName, toJson } from '../../export/exported-audit.ts'
import { toHtml } from '../../export/html.ts'
import { toMarkdown } from '../../export/markdown.ts'
import { downloadText } from './copy-and-save.ts'
import { Menu } from './Menu.tsx'

interface ExportMenuProps {
  audit: ExportedAudit
  announce: (sentence: string) => void
}

/** An audit as a file: a task list, JSON, or a page to print. */
export function ExportMenu({ audit, announce }: ExportMenuProps) {
  const save = (name: string, type: string, content: string) => {
    downloadText(name, type, content)
    announce(`Saved ${name}.`)
  }
  return (
    <Menu
      label="Export"
      items={[
        {
          label: 'Task list (Markdown)',
          onPick: () => save(exportName(audit, 'md'), 'text/markdown', toMarkdown(audit)),
        },
        {
          label: 'JSON',
          onPick: () => save(exportName(audit, 'json'), 'application/json', toJson(audit)),
        },
        {
          label: 'Page to print (HTML)',
          onPick: () => save(exportName(audit, 'html'), 'text/html', toHtml(audit)),
        },
      ]}
    />
  )
}
