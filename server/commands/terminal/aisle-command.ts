import { Command, type HelpContext } from 'commander'
import { nameMeant } from '../../../shared/web/text/near-names.ts'

/** A command that names the wrong name after it, and whose `help` accepts several names. */
export class AisleCommand extends Command {
  override createCommand(name?: string): AisleCommand {
    return new AisleCommand(name)
  }

  override help(context?: HelpContext | ((text: string) => string)): never {
    if (typeof context === 'function') return super.help(context)
    const [help, typed] = this.args
    // Commander shows the general help if it does not know the name.
    if (context?.error === true && help === 'help' && typed !== undefined) {
      return this.refuseName(typed)
    }
    // Of `help keys create` commander reads only `keys`.
    const [asked, , ...named] = this.parent?.args ?? []
    const below = named.filter((name) => !name.startsWith('-'))
    const command = asked === 'help' ? this.below(below) : this
    return command === this ? super.help(context) : command.help(context)
  }

  /** The command that these names lead to. Throws like `refuseName` if there is none. */
  private below([name, ...rest]: readonly string[]): Command {
    // Words after a command without subcommands are its arguments: `help audit shop.example`.
    if (name === undefined || this.commands.length === 0) return this
    const found = this.commands.find((command) => command.name() === name)
    return found instanceof AisleCommand ? found.below(rest) : this.refuseName(name)
  }

  /** Throws like any mistyped command. */
  refuseName(typed: string): never {
    const names = this.commands.map((command) => command.name())
    const meant = nameMeant(typed, names)
    return this.error(
      `error: unknown command '${typed}'${meant === null ? '' : `\n(Did you mean ${meant}?)`}`,
    )
  }
}
