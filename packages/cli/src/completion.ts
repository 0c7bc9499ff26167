// Completes commands in a shell. The shell script only calls this program, so the suggestions always match the
// installed version.

import { type Argument, type Command, Option } from 'commander'
import { profileNames } from './config.ts'
import type { Env, ProcessIo } from './process-io.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/**
 * A hidden command that shells call for completion. Its arguments are the words before the cursor; the last word may be
 * incomplete. It prints one candidate per line.
 */
export const COMPLETE = '__complete'

const scripts: Record<(typeof shells)[number], string> = {
  bash: `_gapura() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _gapura gapura
`,
  zsh: `#compdef gapura
_gapura() {
  local -a candidates
  local line
  while IFS= read -r line; do
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <("\${words[1]}" ${COMPLETE} "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#candidates} )) && _describe gapura candidates || _files
}
compdef _gapura gapura
`,
  fish: `function __gapura_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] ${COMPLETE} $words[2..-1] 2>/dev/null
end
complete -c gapura -f -a '(__gapura_complete)'
`,
}

export function addCompletion(program: Command, io: Pick<ProcessIo, 'stdout'>): void {
  const completion = program.command('completion').description('print the completion script for your shell')
  const how = {
    bash: 'source <(gapura completion bash), in ~/.bashrc',
    zsh: 'source <(gapura completion zsh), in ~/.zshrc below compinit',
    fish: 'gapura completion fish > ~/.config/fish/completions/gapura.fish',
  }
  for (const shell of shells) {
    completion
      .command(shell)
      .description(how[shell])
      .action(() => {
        io.stdout.write(scripts[shell])
      })
  }
}

/** Returns one line `word<tab>description` for each possible completion of the last of `words`. */
export function candidatesFor(program: Command, words: string[], env: Env): string[] {
  const current = words.at(-1) ?? ''
  const { command, operands, awaiting } = walk(program, words.slice(0, -1))
  if (awaiting) return begin(current, valuesOf(awaiting, env))
  if (current.startsWith('-')) return begin(current, optionsOf(program, command))
  const subcommands = command.commands.map((each): Candidate => [each.name(), each.description()])
  if (subcommands.length > 0) return begin(current, subcommands)
  const argument: Argument | undefined = command.registeredArguments[operands]
  return begin(
    current,
    (argument?.argChoices ?? []).map((choice): Candidate => [choice, '']),
  )
}

type Candidate = [word: string, description: string]

const begin = (current: string, candidates: Candidate[]): string[] =>
  candidates.filter(([word]) => word.startsWith(current)).map(([word, about]) => `${word}\t${about}`)

/**
 * Finds the command that the words typed so far name. Also returns how many arguments the command already has, and
 * which option still needs a value.
 */
function walk(program: Command, words: string[]) {
  let command = program
  let operands = 0
  let awaiting: Option | undefined
  for (const word of words) {
    if (awaiting) awaiting = undefined
    else if (word.startsWith('-')) {
      const option = [...command.options, ...program.options].find(
        each => each.long === word || each.short === word,
      )
      if (option?.required) awaiting = option
    } else {
      const next = command.commands.find(each => each.name() === word)
      if (next) command = next
      else operands++
    }
  }
  return { command, operands, awaiting }
}

function valuesOf(option: Option, env: Env): Candidate[] {
  if (option.long === '--profile') return profileNames(env).map(name => [name, 'profile'])
  return (option.argChoices ?? []).map(choice => [choice, ''])
}

function optionsOf(program: Command, command: Command): Candidate[] {
  const all = command === program ? program.options : [...command.options, ...program.options]
  return [...all, new Option('--help', 'display help')].map(each => [
    each.long ?? each.short ?? '',
    each.description,
  ])
}
