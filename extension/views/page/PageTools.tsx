import { useEffect, useState } from 'preact/hooks'
import { Action } from '../../../shared/view/Action.tsx'
import { ToolFacts } from '../../../shared/view/webmcp/ToolFacts.tsx'
import type { CheckedTools } from '../../../shared/walk/webmcp/check-tools.ts'
import { callToolsOfTab, toolsOfTab } from '../../browser/webmcp.ts'
import { useApp } from '../app/app-state.ts'
import { LiveRegion } from '../app/LiveRegion.tsx'

/**
 * The tools that the open page offers to agents (WebMCP); nothing for a page without any. None is
 * called before a click. Every value is untrusted text.
 */
export function PageTools({ url }: { url: string }) {
  const tabId = useApp().page.tab?.id
  const [checked, setChecked] = useState<CheckedTools | null>(null)
  const [isCalling, setCalling] = useState(false)
  useEffect(() => {
    let isCurrent = true
    setChecked(null)
    if (tabId === undefined) return
    void toolsOfTab(tabId).then((tools) => isCurrent && setChecked(tools))
    return () => {
      isCurrent = false
    }
  }, [tabId, url])
  if (checked === null || tabId === undefined) return null
  const { tools, calls, findings } = checked
  const call = async () => {
    setCalling(true)
    setChecked((await callToolsOfTab(tabId, url)) ?? checked)
    setCalling(false)
  }
  const summary = `Tools: ${tools.length}. Called: ${calls.length}. Findings: ${findings.length}.`
  return (
    <section class="card">
      <h2>Tools for agents</h2>
      <p class="quiet">
        This page offers tools to agents in the browser (WebMCP). Those that say to change nothing
        can be called here, about the product of this page; the others are never called.
      </p>
      <LiveRegion text={isCalling ? 'Calling tools…' : summary} />
      <ToolFacts {...checked} />
      <div class="actions">
        <Action
          label={isCalling ? 'Calling…' : 'Call those that only read'}
          onAct={() => void (isCalling || call())}
        />
      </div>
    </section>
  )
}
