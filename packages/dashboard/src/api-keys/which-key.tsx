import { Group } from '@mantine/core'
import { ModeTag } from '../parts/mode-tag.tsx'
import type { Key } from './key-state.ts'

/**
 * Shows an API key's mode (live or test) and prefix, so that users can distinguish keys with the same name.
 */
export const WhichKey = ({ of: { mode, display_prefix } }: { of: Key }) => (
  <Group gap="xs">
    <ModeTag mode={mode} />
    <span className="mono">{display_prefix}…</span>
  </Group>
)
