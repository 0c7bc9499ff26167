import { Group } from '@mantine/core'
import { ModeTag } from '../parts/mode-tag.tsx'
import type { Key } from './key-state.ts'

/**
 * Shows the mode (live or test) and the prefix of an API key, by which users distinguish keys with the same
 * name.
 */
export const WhichKey = ({ of: { mode, display_prefix } }: { of: Key }) => (
  <Group gap="xs">
    <ModeTag mode={mode} />
    <span className="mono">{display_prefix}…</span>
  </Group>
)
