import type { Proposal } from '../../../shared/audit/proposals/proposal.ts'
import { counted } from '../../../shared/web/text/english-count.ts'
import { readsOnly, type ToolWords } from '../tool.ts'

/** Proposals write nothing: the client does, if the person agrees. */
export const PROPOSES = readsOnly({ asksStore: true })

/** The fields that hold whole files. */
export const FILE_FIELDS = ['content', 'path', 'url'] as const

/** Files to write, in words. */
export const sayProposal = ({
  domain,
  files,
  missing,
  notes,
  check_after,
}: Proposal): ToolWords[] => [
  files.length === 0
    ? `Nothing can be proposed for ${domain} yet.`
    : `${counted(files.length, 'file')} to write for ${domain}. Show them to the person who owns the store first.`,
  ...files.flatMap(({ path, url, placement, replaces, content_type, content }): ToolWords[] => [
    placement === 'file'
      ? `A file to serve as ${content_type}${replaces === null ? '' : ', in the place of the one that is there'}. Its path, and its address:`
      : `A part of the <head> of a page. Its path, and the page${replaces === null ? '' : ', and what it replaces there'}:`,
    { store: [path, url, ...(placement === 'head' && replaces !== null ? [replaces] : [])] },
    { file: content },
  ]),
  ...(missing.length === 0
    ? []
    : [
        'Not in the files. Ask the merchant for what has the name of a field, and call this tool again with it; put the rest right in the store:',
        { store: missing },
      ]),
  ...(notes.length === 0 ? [] : ['Before you publish:', { store: notes }]),
  ...(check_after.length === 0 ? [] : [`After you have published: ${check_after.join('; ')}.`]),
]
