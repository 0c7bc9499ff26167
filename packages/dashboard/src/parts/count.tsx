import classes from './count.module.css'

/** A badge with the number of waiting items; `100+` if there are more than one page of them. */
export const Count = ({ of: count, title }: { of: string; title?: string }) => (
  <span className={classes.count} title={title}>
    {count}
  </span>
)
