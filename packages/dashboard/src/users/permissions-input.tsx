import { type Permission, permissions } from '@gapura/server/permission'
import { Checkbox, type CheckboxGroupProps, Stack } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { permissionHints, permissionWords } from './user-words.ts'

const text = words({ en: { label: 'Permissions' }, id: { label: 'Izin' } })

type Given = Omit<CheckboxGroupProps<Permission>, 'children'>

/** The form field for a user's permissions. It shows what each permission allows. */
export function PermissionsInput(given: Given) {
  const t = useWords(text)
  const names = useWords(permissionWords)
  const hints = useWords(permissionHints)
  return (
    <Checkbox.Group label={t.label} withAsterisk {...given}>
      <Stack gap="xs" mt="xs">
        {permissions.map(each => (
          <Checkbox key={each} value={each} label={names[each]} description={hints[each]} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
