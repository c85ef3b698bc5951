module immudb-webconsole/embed

go 1.25
