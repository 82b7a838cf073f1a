// The last of the scripts: everything else is there.

start();
