;; What docs/editors.md says for Emacs, as it stands there: eglot starts for a Python file, and flymake shows the diagnostic.
(setq eglot-sync-connect 30 eglot-autoreconnect nil create-lockfiles nil)
(with-temp-buffer
  (insert-file-contents (expand-file-name "editors.md" (getenv "RANKLINT_DOCS")))
  (search-forward "## Emacs")
  (search-forward "In the init file:")
  (let ((end (save-excursion (re-search-forward "^[^ \n]") (match-beginning 0))))
    (condition-case nil
        (while (< (point) end) (let ((form (read (current-buffer)))) (when (< (point) end) (eval form t))))
      (end-of-file nil))))
(require 'eglot)
(require 'flymake)
(find-file (expand-file-name "train.py" (getenv "RANKLINT_FOLDER")))
(run-hooks 'post-command-hook) ; where eglot-ensure waits
(let ((tries 0))
  (while (and (/= (length (flymake-diagnostics)) 1) (< tries 600))
    (accept-process-output nil 0.05)
    (setq tries (1+ tries))))
(unless (= (length (flymake-diagnostics)) 1)
  (message "emacs: the set-up of docs/editors.md shows no diagnostic")
  (kill-emacs 1))
(eglot-shutdown (eglot-current-server))
(message "emacs's set-up: ok")
(kill-emacs 0)
