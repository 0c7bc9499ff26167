import type { ReactNode } from 'react'
import classes from './on-phone.module.css'

/** Shows content below a cell's value on a phone, in place of a column that is hidden there. */
export const OnPhone = ({ children }: { children: ReactNode }) => (
  <div className={classes.onPhone}>{children}</div>
)
