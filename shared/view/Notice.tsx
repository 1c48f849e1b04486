import type { ComponentChildren, JSX } from 'preact'
import { Action, type ActionProps } from './Action.tsx'
import { Icon, type IconShape } from './Icon.tsx'

export type NoticeKind = 'info' | 'warning' | 'error' | 'success'

interface NoticeProps {
  kind: NoticeKind
  title: string
  children?: ComponentChildren
  /** What to do next, such as a button or a link. */
  action?: ActionProps | undefined
}

const LOOKS: Record<NoticeKind, { shape: IconShape; word: string }> = {
  info: { shape: 'info', word: 'Note' },
  warning: { shape: 'triangle', word: 'Warning' },
  error: { shape: 'octagon', word: 'Error' },
  success: { shape: 'check', word: 'Done' },
}

/** Screen readers announce errors immediately, and the rest when the reader pauses. */
export function Notice({ kind, title, children, action }: NoticeProps): JSX.Element {
  const { shape, word } = LOOKS[kind]
  return (
    <div class={`notice notice-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      <Icon shape={shape} />
      <div class="notice-body">
        <p class="notice-title">
          <span class="sr-only">{word}: </span>
          {title}
        </p>
        {children !== undefined && <div>{children}</div>}
        {action !== undefined && (
          <div class="actions">
            <Action {...action} />
          </div>
        )}
      </div>
    </div>
  )
}

interface ErrorNoticeProps {
  title: string
  /** What to do about it. */
  message?: string | undefined
  /** The request id, for the operator of the server. */
  requestId?: string | undefined
  action?: ActionProps | undefined
}

/** An error with what to do about it and the id for the operator. */
export function ErrorNotice({ title, message, requestId, action }: ErrorNoticeProps): JSX.Element {
  return (
    <Notice kind="error" title={title} action={action}>
      {message !== undefined && <p>{message}</p>}
      {requestId !== undefined && <p class="quiet">Request {requestId}</p>}
    </Notice>
  )
}
