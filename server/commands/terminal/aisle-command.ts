import { Command, type HelpContext } from 'commander'
import { nameMeant } from '../../../shared/web/near-names.ts'

/** A command that says which of the names after it there is not, also after `help`. */
export class AisleCommand extends Command {
  override createCommand(name?: string): AisleCommand {
    return new AisleCommand(name)
  }

  override help(context?: HelpContext | ((text: string) => string)): never {
    if (typeof context === 'function') return super.help(context)
    const [help, typed] = this.args
    // Commander shows the help of all where it does not know what help is wanted of.
    if (context?.error === true && help === 'help' && typed !== undefined) {
      return this.refuseName(typed)
    }
    return super.help(context)
  }

  /** Throws as for every command that is typed wrong. */
  refuseName(typed: string): never {
    const names = this.commands.map((command) => command.name())
    const meant = nameMeant(typed, names)
    return this.error(
      `error: unknown command '${typed}'${meant === null ? '' : `\n(Did you mean ${meant}?)`}`,
    )
  }
}
