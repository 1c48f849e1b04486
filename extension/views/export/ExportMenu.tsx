import { type ExportedAudit, exportName, toJson } from '../../export/exported-audit.ts'
import { toHtml } from '../../export/html.ts'
import { toMarkdown } from '../../export/markdown.ts'
import { useApp } from '../app/app-state.ts'
import { downloadText } from './copy-and-save.ts'
import { Menu } from './Menu.tsx'

interface ExportMenuProps {
  audit: ExportedAudit
  announce: (sentence: string) => void
}

/** An audit as a file: a task list, JSON, or a page to print. */
export function ExportMenu({ audit, announce }: ExportMenuProps) {
  const { text } = useApp()
  const save = (name: string, type: string, content: string) => {
    downloadText(name, type, content)
    announce(text('saved', name))
  }
  return (
    <Menu
      label={text('export_menu')}
      items={[
        {
          label: text('export_markdown'),
          onPick: () => save(exportName(audit, 'md'), 'text/markdown', toMarkdown(audit, text)),
        },
        {
          label: text('export_json'),
          onPick: () => save(exportName(audit, 'json'), 'application/json', toJson(audit)),
        },
        {
          label: text('export_html'),
          onPick: () => save(exportName(audit, 'html'), 'text/html', toHtml(audit, text)),
        },
      ]}
    />
  )
}
