// The flags with which `npm start` starts Node, so that what is measured is what runs.

import root from '../../package.json' with { type: 'json' }

const flags = /\bnode((?: --\S+)*) packages\/server\/src\/main\.ts$/.exec(root.scripts.start)?.[1]
if (!flags) throw new Error('npm start has no flags')

export const startFlags: string[] = flags.trim().split(' ')
