import { ActionIcon, Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useWords } from '../language/language.tsx'
import { RupiahInput } from '../parts/rupiah-input.tsx'
import { formWords } from './form-words.ts'
import type { Draft, ItemDraft } from './order.ts'

const MAX_ITEMS = 10
const empty: ItemDraft = { name: '', price: null, quantity: 1 }

export function ItemFields({ form }: { form: UseFormReturnType<Draft> }) {
  const t = useWords(formWords)
  const { items } = form.getValues()
  return (
    <Stack gap="sm">
      {items.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.noItems}
        </Text>
      )}
      {items.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a form row is identified by its index
        <Group key={index} align="flex-start" gap="sm" wrap="wrap">
          <TextInput label={t.item} flex="2 1 10rem" {...form.getInputProps(`items.${index}.name`)} />
          <RupiahInput label={t.price} flex="1 1 8rem" {...form.getInputProps(`items.${index}.price`)} />
          <NumberInput
            label={t.quantity}
            allowDecimal={false}
            allowNegative={false}
            min={1}
            w={100}
            {...form.getInputProps(`items.${index}.quantity`)}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            mt={25}
            onClick={() => form.removeListItem('items', index)}
            aria-label={t.remove(index + 1)}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Group>
      ))}
      {items.length < MAX_ITEMS && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => form.insertListItem('items', empty)}
          style={{ alignSelf: 'flex-start' }}
        >
          {t.addItem}
        </Button>
      )}
    </Stack>
  )
}
