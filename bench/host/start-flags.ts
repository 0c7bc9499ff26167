// The Node flags that `npm start` uses. The benchmarks use the same flags, so that their figures apply to
// production.

import root from '../../package.json' with { type: 'json' }

const flags = /\bnode((?: --\S+)*) packages\/server\/src\/main\.ts$/.exec(root.scripts.start)?.[1]
if (!flags) throw new Error('the start script of package.json has no Node flags')

export const startFlags: string[] = flags.trim().split(' ')
