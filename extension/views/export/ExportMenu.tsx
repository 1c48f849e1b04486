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
  const { say } = useApp()
  const save = (name: string, type: string, text: string) => {
    downloadText(name, type, text)
    announce(say('saved', name))
  }
  return (
    <Menu
      label={say('export_menu')}
      items={[
        {
          label: say('export_markdown'),
          onPick: () => save(exportName(audit, 'md'), 'text/markdown', toMarkdown(audit, say)),
        },
        {
          label: say('export_json'),
          onPick: () => save(exportName(audit, 'json'), 'application/json', toJson(audit)),
        },
        {
          label: say('export_html'),
          onPick: () => save(exportName(audit, 'html'), 'text/html', toHtml(audit, say)),
        },
      ]}
    />
  )
}
