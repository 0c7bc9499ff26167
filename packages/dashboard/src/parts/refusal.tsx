import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'

/**
 * Shows an error that applies to a whole form and not to a single field, such as a conflict with another user's
 * change.
 */
export const Refusal = ({ said }: { said: string | undefined }) =>
  said && (
    <Alert color="red" icon={<IconAlertCircle />} role="alert" my="xs">
      {said}
    </Alert>
  )
