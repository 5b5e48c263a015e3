"""Getting public documents over HTTP, with the address that was checked and no other."""
