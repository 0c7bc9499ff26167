import { ActionIcon, Group } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useWords, words } from '../language/language.tsx'

const text = words({
  en: { up: (name: string) => `Move ${name} up`, down: (name: string) => `Move ${name} down` },
  id: { up: (name: string) => `Naikkan ${name}`, down: (name: string) => `Turunkan ${name}` },
})

type Given = { name: string; isFirst: boolean; isLast: boolean; onMove: (by: -1 | 1) => void }

/**
 * The buttons that move an item up or down. If an item cannot move further in a direction, that button does
 * nothing. It stays focusable, so that keyboard users do not lose their place.
 */
export function MoveButtons({ name, isFirst, isLast, onMove }: Given) {
  const t = useWords(text)
  const directions = [
    { by: -1, label: t.up(name), isOver: isFirst, icon: IconArrowUp },
    { by: 1, label: t.down(name), isOver: isLast, icon: IconArrowDown },
  ] as const
  return (
    <Group gap={2} wrap="nowrap">
      {directions.map(({ by, label, isOver, icon: Icon }) => (
        <ActionIcon
          key={by}
          variant="subtle"
          color="gray"
          aria-label={label}
          title={label}
          aria-disabled={isOver}
          opacity={isOver ? 0.35 : undefined}
          onClick={event => {
            if (isOver) return
            const button = event.currentTarget
            onMove(by)
            // The button loses the keyboard focus when its row moves to another position in the document. The
            // code therefore gives the focus back to the button.
            requestAnimationFrame(() => button.focus())
          }}
        >
          <Icon size={16} />
        </ActionIcon>
      ))}
    </Group>
  )
}
