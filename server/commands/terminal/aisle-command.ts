import { Command, type HelpContext } from 'commander'
import { nameMeant } from '../../../shared/web/near-names.ts'

/** A command that says which of the names after it there is not, and whose `help` takes several. */
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
    // Of `help keys create` commander reads `keys` alone.
    const [asked, , ...named] = this.parent?.args ?? []
    const below = named.filter((name) => !name.startsWith('-'))
    const command = asked === 'help' ? this.below(below) : this
    return command === this ? super.help(context) : command.help(context)
  }

  /** The command that these names lead to. Throws as `refuseName` where there is none. */
  private below([name, ...rest]: readonly string[]): Command {
    // What follows a command that has no others is its argument: `help audit shop.example`.
    if (name === undefined || this.commands.length === 0) return this
    const found = this.commands.find((command) => command.name() === name)
    return found instanceof AisleCommand ? found.below(rest) : this.refuseName(name)
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
