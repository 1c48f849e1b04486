import { useEffect, useState } from 'preact/hooks'
import { Action } from '../../../shared/view/Action.tsx'
import type { CheckedTools } from '../../../shared/walk/webmcp/check-tools.ts'
import { TOOL_FINDINGS } from '../../../shared/walk/webmcp/findings.ts'
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
      <dl class="facts">
        {tools.map(({ name }, at) => (
          <Tool key={at} name={name} checked={checked} />
        ))}
      </dl>
      <div class="actions">
        <Action
          label={isCalling ? 'Calling…' : 'Call those that only read'}
          onAct={() => void (isCalling || call())}
        />
      </div>
    </section>
  )
}

function Tool({ name, checked }: { name: string; checked: CheckedTools }) {
  const tool = checked.tools.find((each) => each.name === name)
  const call = checked.calls.find((each) => each.tool === name)
  const left = checked.left.find((each) => each.tool === name)
  const findings = checked.findings.filter((each) => each.tool === name)
  return (
    <div>
      <dt class="wild">{name}</dt>
      <dd class="wild quiet">{tool?.description}</dd>
      {call && findings.length === 0 && <dd>Its answer agrees with the page.</dd>}
      {left && <dd class="quiet">Not called. {left.why}</dd>}
      {findings.map(({ id, detail }) => (
        <dd key={id}>
          <span class="fault">{TOOL_FINDINGS[id]}</span>
          <span class="wild quiet">{detail}</span>
        </dd>
      ))}
    </div>
  )
}
